"""How what tells whose server a text is of is written: hosts, addresses, paths, people, secrets. All are bounded."""

from __future__ import annotations

import re

SECRET = re.compile(
    r"\b(?:hf_[A-Za-z0-9]{8,200}|sk-[A-Za-z0-9_-]{8,200}|gh[pousr]_[A-Za-z0-9]{8,200}|github_pat_\w{8,200}"
    r"|glpat-[\w-]{8,200}|nvapi-[\w-]{8,200}|xox[abprs]-[\w-]{8,200}|AIza[\w-]{20,200}|A[KS]IA[A-Z0-9]{12,40}"
    r"|eyJ[\w-]{8,2000}\.[\w-]{4,4000}(?:\.[\w-]{0,2000})?)"
)
SAID_SECRET = re.compile(
    r"(?i)(?P<lead>\b(?:bearer|basic)[ \t]{1,4}|(?:api[-_]?key|access[-_]?key|secret[-_]?key|client[-_]?secret|token"
    r"|secret|password|passwd|pwd|hf[-_]token)(?:[\"']?[ \t]{0,4}(?:[=:]|is\b|hai\b)[ \t]{0,4}[\"']?))"
    r"(?P<held>[A-Za-z0-9+/_.~-]{4,2000}={0,2})"
)
"""A secret by what stands before it; ``held`` is it."""
OPTION_SECRET = re.compile(
    r"(?P<lead>--(?:api-key|hf-token|token|password)[= \t]{1,4}[\"']?)(?P<held>[^\s\"'<>]{1,2000})"
)
URL = re.compile(
    r"\b(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]{0,15})://(?:(?P<user>[^\s/@\"'<>]{1,200})@)?"
    r"(?P<host>\[[0-9a-fA-F:.%]{2,60}\]|[A-Za-z0-9._-]{1,253})(?P<port>:\d{1,5})?(?P<path>/[^\s\"'`<>)\]},;]{0,2000})?"
)
FILE = re.compile(r"\bfile://(?P<path>[^\s\"'`<>)\]},;]{1,2000})")
MAIL = re.compile(r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}\b")
AT = re.compile(
    r"(?<![\w.+/@-])(?P<user>[a-z_][a-z0-9_-]{0,31})@(?P<host>[A-Za-z][A-Za-z0-9.-]{0,252}[A-Za-z0-9])(?![\w@])"
)
V6 = re.compile(
    r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,8}(?:[0-9A-Fa-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?(?:%\w{1,16})?(?![\w:.]*\w)"
)
V4 = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
NODE = re.compile(
    r"(?<![\w./@<-])(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}"
    r"(?:internal|local|localdomain|lan|corp|intra|intranet|com|net|org|io|ai|dev|cloud|edu|gov|in|de|uk|eu|co)"
    r"(?![\w-]|\.\w|/\w[\w.-]{0,80}\.(?:py|cu|cpp|h))"
)
"""A host by its full name."""
NAMED = re.compile(
    r"(?i)(?P<lead>\b(?:host(?:name)?|node(?:name)?|pod|master[-_]addr|dist[-_]init[-_]addr|server[-_]?name)[\"']?"
    r"(?:[ \t]{0,3}[=:][ \t]{0,3}|[ \t]{1,60})[\"']?)"
    r"(?P<held>[A-Za-z][\w-]{0,62}(?:[.-][\w-]{1,62}){0,8})(?P<tail>(?::\d{1,5})?)"
)
"""A machine by what stands before it; ``held`` is it."""
SERVED = re.compile(
    r"(?i)(?P<lead>\bserved[-_]model[-_]name[\"']?(?:[ \t]{0,3}[=:][ \t]{0,3}|[ \t]{1,60})[\"']?)"
    r"(?P<held>[A-Za-z0-9][\w./-]{0,200})"
)
"""The name that a server gives its model: its owner's own words."""
UNC = re.compile(r"(?<![\w\\])\\\\[\w.$-]{1,63}(?:\\[^\\\s\"'<>|,;:*?]{1,255}){1,40}")
WINDOWS = re.compile(r"(?<![\w])[A-Za-z]:(?:[\\/][^\\/\s\"'<>|,;:*?]{1,255}){1,40}[\\/]?")
HOME = re.compile(
    r"(?<![\w/.~])~[a-z_][\w-]{0,31}(?:/[^\s\"'`<>,;:)\]}]{0,1000})?|(?<![\w/.~])~/[^\s\"'`<>,;:)\]}]{1,1000}"
)
POSIX = re.compile(r"(?<![\w/.<>~%)\]-])/(?:[^\s/\"'`<>,;:()\[\]{}|=]{1,255}/){1,40}[^\s/\"'`<>,;:()\[\]{}|=]{0,255}")
CONTAINER = re.compile(
    r"(?<![\w/.#-])(?:(?:docker|containerd|cri-o|sha256)[:/-]{1,3}[0-9a-f]{12,64}|[0-9a-f]{64})(?![\w-])"
)
USER_IN = re.compile(r"(?:/home/|/Users/|[A-Za-z]:[\\/]Users[\\/])(?P<user>[^\\/\s\"'<>,;:]{1,64})")
PLACEHOLDER = re.compile(r"<(?:host|ip|path|user|mail|secret|container|name)-\d{1,6}>")
KEPT_HOSTS = frozenset("localhost huggingface.co hf.co github.com pypi.org vllm.ai docs.vllm.ai pytorch.org".split())
"""Hosts that everybody's logs name."""
KEPT_ADDRESSES = frozenset(("0.0.0.0", "127.0.0.1", "::", "::1"))
KEPT_PATHS = re.compile(
    r"/(?:v[12](?:/(?:chat/completions|completions|models|embeddings|health/ready))?|metrics|health|generate|generate_stream"
    r"|ping|version|info|tokenize|dev/(?:nvidia\w{0,20}|null|shm|stdin)|proc/[a-z]{1,20}|sys/[a-z]{1,20})/?"
)
"""Paths that are the same on every machine: routes of an API, devices."""
TOP = re.compile(r"(?:(?<=[\s\"'=`])|^)/[A-Za-z][\w.-]{2,60}(?=$|[\s\"',;)`])", re.MULTILINE)
PER = frozenset(
    "sec second token tokens req request requests step steps layer gpu card user day hour min minute byte".split()
)
"""What follows a stroke that means "per"."""
VERSIONED = re.compile(r"(?i)(?:versions?|driver|cudnn|nccl|cuda|release|build|runtime|[=<>~]=|\bv)[\s:=\"'`|]{0,4}$")
PACKAGES = re.compile(r"/(?:site|dist)-packages/(?P<inside>\S{1,1000})")
COMMON = frozenset(("root", "user", "ubuntu", "runner", "app", "shared", "public", "default"))
"""Names of accounts that are no person's."""

KEYS = {
    "host": "host", "hostname": "host", "server_name": "host", "master_addr": "host", "node_ip": "host",
    "served_model_name": "name", "api_key": "secret", "hf_token": "secret", "username": "user", "user": "user",
}  # fmt: skip
"""Keys of a document whose value is private whatever it looks like, and what it is."""
SHORTEST = 6
"""Characters of the shortest secret that is told by capitals and digits alone."""
TOKEN = 12
"""Characters of the shortest secret that is called no more than a token."""
NO_NAMES = frozenset("on off none null true false to-device device-to-host generation".split())
