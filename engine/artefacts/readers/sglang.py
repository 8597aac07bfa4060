"""SGLang's log: loading, the pool, graphs, prefill and decode batches."""
