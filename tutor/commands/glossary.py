def arguments(parser): pass
def run(context,args): return 0
