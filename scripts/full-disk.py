#!/usr/bin/env python3
"""full-disk.py PROGRAM HOME...: every writing command on a disk that gets full.

Each command runs on a copy of each home, on a tmpfs that has a little more room
than the home needs, from nothing to 64 KB in steps. A command that fails must
leave the old content and say what failed; once there is room, it must succeed
and leave what it leaves on an empty disk. Needs root, to mount.
"""
import hashlib, os, re, shutil, sqlite3, subprocess, sys, tempfile

PROGRAM, HOMES = os.path.abspath(sys.argv[1]), sys.argv[2:]

NOW = ["--now", "1795989600000"]
MAIN = ["--agent", "main"]
ORDER = ["auth", "order", "set", "anthropic", "anthropic:default"] + MAIN
PIN = ["chain", "pin", "set", "agent:main:main", "anthropic:default"] + MAIN + NOW
RECORD = ["auth", "record", "anthropic:default", "--reason", "rate_limit"] + MAIN + NOW
RESET = ["auth", "reset", "--all", "--yes"] + MAIN
FIX = ["doctor", "--fix", "--yes"]

# Every writing command, and what runs before it on the same home.
COMMANDS = {
    "order set": (ORDER, None),
    "order clear": (["auth", "order", "clear", "anthropic"] + MAIN, ORDER),
    "reset": (RESET, None),
    "record": (RECORD, None),
    "record success": (["auth", "record", "anthropic:default", "--success"] + MAIN + NOW, RECORD),
    "import": (["auth", "import", "--yes", "--agent", "research"], None),
    "pin set": (PIN, None),
    "pin clear": (["chain", "pin", "clear", "agent:main:main"] + MAIN + NOW, PIN),
    "fix": (FIX, None),
    "fix to 2026.5.12": (FIX + ["--to", "2026.5.12"], None),
    "fix to 2026.7.1": (FIX + ["--to", "2026.7.1"], None),
    "undo": (["undo"], RESET),
    "undo fix": (["undo"], FIX),
}

# Times and random names differ from run to run.
VARIABLE = re.compile(rb"1[789]\d{11}|20\d\d-?\d\d-?\d\dT[\d:.-]+Z?|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def length(value):
    """octet_length, which older SQLite lacks and OpenClaw's schema uses."""
    return None if value is None else len(value if isinstance(value, bytes) else str(value).encode())


def rows(path):
    """The rows of a database, and what SQLite says of its health."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal", "-journal"):
            if os.path.exists(path + suffix):
                shutil.copy(path + suffix, folder + "/x" + suffix)
        connection = sqlite3.connect(folder + "/x")
        connection.text_factory = bytes
        connection.create_function("octet_length", 1, length, deterministic=True)
        said = [connection.execute("pragma quick_check").fetchone()]
        for (name,) in connection.execute("select name from sqlite_master where type='table' and sql not like 'create virtual%' order by 1").fetchall():
            try:
                said.append((name, sorted(VARIABLE.sub(b"V", repr(row).encode()) for row in connection.execute('select * from "%s"' % name.decode()))))
            except sqlite3.Error as error:
                said.append((name, str(error)))
        connection.close()
        return repr(said).encode()


def content(home):
    """What a home holds but openclaw-auth's own files, and its litter."""
    found, litter = {}, []
    for folder, folders, files in os.walk(home):
        if "openclaw-auth" in folders:
            folders.remove("openclaw-auth")
        for name in files:
            path = os.path.join(folder, name)
            if name.endswith((".sqlite-wal", ".sqlite-shm", ".sqlite-journal")):
                continue
            if re.search(r"\.[0-9a-f]{16}\.tmp$", name) or name.endswith(".lock"):
                litter.append(path)
                continue
            data = rows(path) if name.endswith(".sqlite") else open(path, "rb").read()
            key = VARIABLE.sub(b"V", os.path.relpath(path, home).encode())
            found[key] = hashlib.sha256(VARIABLE.sub(b"V", data)).hexdigest()
    return found, litter


def run(home, command):
    return subprocess.run([PROGRAM] + command, env={"HOME": home, "PATH": "/bin"}, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, cwd="/")


def prepared(source, name, folder):
    """A copy of a home in which what a command needs has been done."""
    shutil.copytree(source, folder, symlinks=True)
    if COMMANDS[name][1]:
        run(folder, COMMANDS[name][1])
    return folder


def differing(a, b):
    return sorted(k for k in set(a) | set(b) if a.get(k) != b.get(k))[:4]


def main():
    tries = failed = faults = 0
    work = tempfile.mkdtemp(prefix="full-disk-")
    for source in HOMES:
        for name, (command, _) in COMMANDS.items():
            ready = prepared(source, name, work + "/ready")
            old, _ = content(ready)
            whole = work + "/whole"
            shutil.copytree(ready, whole, symlinks=True)
            if run(whole, command).returncode not in (0, 1) or content(whole)[0] == old:
                shutil.rmtree(ready), shutil.rmtree(whole)
                continue  # there is nothing to write
            new, _ = content(whole)
            for room in (0, 4096, 8192, 12288, 16384, 20480, 24576, 32768, 49152, 65536):
                disk = work + "/disk"
                os.makedirs(disk, exist_ok=True)
                subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m,mode=700", "tmpfs", disk], check=True)
                try:
                    home = disk + "/home"
                    shutil.copytree(ready, home, symlinks=True)
                    told = os.statvfs(disk)
                    used = (told.f_blocks - told.f_bfree) * told.f_frsize
                    subprocess.run(["mount", "-o", "remount,size=%d" % (used + room), disk], check=True)
                    first = run(home, command)
                    now, _ = content(home)
                    tries += 1
                    failed += first.returncode > 1
                    ok = now == new if first.returncode <= 1 else now == old or name.startswith("fix")
                    if first.returncode > 1 and (first.stderr.count(b"\n") != 1 or b"no space left" not in first.stderr and b"full" not in first.stderr):
                        print("MESSAGE", os.path.basename(source), name, room, first.stderr[:300])
                    subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
                    again = run(home, command) if first.returncode > 1 else first
                    now, litter = content(home)
                    if not ok or now != new or litter or again.returncode > 1:
                        faults += 1
                        print("FAULT", os.path.basename(source), name, "room", room, "first", first.returncode, first.stderr[:200], "then", again.returncode, again.stderr[:200], litter,
                              differing(now, new))
                finally:
                    subprocess.run(["umount", disk], check=True)
            shutil.rmtree(ready), shutil.rmtree(whole)
    shutil.rmtree(work)
    print("tries %d, of which %d failed for want of room, faults %d" % (tries, failed, faults))
    return faults > 0


sys.exit(main())
