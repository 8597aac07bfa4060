"""From a workload to the wall and the lever: scenario, ledger, step times, causes, levers, report."""
