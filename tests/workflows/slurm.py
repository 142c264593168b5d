#!/usr/bin/env python3
"""A Slurm of one node for tests: loopback, its own munge key, no accounting, no cgroups, no systemd.

    with slurm.Slurm(folder) as lab:
        subprocess.run(["sbatch", ...], env=lab.environment())

    slurm.py [--link] COMMAND...    runs a command with the node up, then stops it

`missing()` says why it cannot start here, or gives None. The three daemons are children of this process: they get a signal
from the kernel when it dies, and `stop()` ends them and nothing else. With link=True /etc/slurm/slurm.conf names the lab's
configuration meanwhile, for programs that take SLURM_* out of their jobs' environment; this needs root, and labs with a
link wait for each other. Jobs write below /tmp or other places that this user may write to; the node counts memory, so
each job needs --mem, or gets 1,000 MB a core.
"""
import ctypes
import fcntl
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sinfo", "scancel", "sbatch", "squeue")
LINK = pathlib.Path("/etc/slurm/slurm.conf")
LOCK = pathlib.Path("/run/basesweep-slurm.lock")
SECONDS = 60  # limit for the node to start, and for the daemons to end
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

CONF = """\
ClusterName=basesweep
SlurmctldHost={host}(127.0.0.1)
SlurmctldParameters=bind_addr=127.0.0.1
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort={ctld_port}
SlurmdPort={slurmd_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/jobs.txt
ReturnToService=2
MinJobAge=600
KillWait=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
DefMemPerCPU=1000
NodeName={host} NodeAddr=127.0.0.1 NodeHostname={host} CPUs={cpus} RealMemory={megabytes} State=UNKNOWN
PartitionName=debug Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing(link=False):
    """Returns the reason why no node can be started here, or None."""
    absent = [program for program in PROGRAMS if not shutil.which(program, path=PATH)]
    if absent:
        return f"no {', '.join(absent)} (Debian: slurm-wlm, munge)"
    if link and os.geteuid() != 0:
        return f"not root, so {LINK} cannot be linked"
    if link and LINK.exists() and not (LINK.is_symlink() and LINK.read_text().startswith(CONF.splitlines()[0])):
        return f"{LINK} is another Slurm's"
    return None


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def free_ports(count):
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class Slurm:
    """A Slurm node. `folder`: an empty folder for its files; by default a new one that stop() removes."""

    def __init__(self, folder=None, link=False):
        self.own_folder = folder is None
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="basesweep-slurm.")).resolve()
        self.conf = self.folder / "slurm.conf"
        self.link = link
        self.daemons = []  # (name, process) in starting order
        self.lock = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def environment(self, **changes):
        return {**os.environ, "PATH": PATH, "SLURM_CONF": str(self.conf), **changes}

    def jobs(self):
        """Returns a line for each ended job: JobId=..., JobState=..."""
        ended = self.folder / "jobs.txt"
        return ended.read_text().splitlines() if ended.exists() else []

    def start(self):
        reason = missing(self.link)
        if reason:
            raise RuntimeError(reason)
        try:
            if self.link:
                self.lock = open(LOCK, "w")
                fcntl.flock(self.lock, fcntl.LOCK_EX)
            self.write_configuration()
            self.daemon("munged", "--foreground", "--force", "--num-threads=2", f"--key-file={self.folder}/munge.key",
                        f"--socket={self.folder}/munge.sock", f"--pid-file={self.folder}/munged.pid",
                        f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munge.seed")
            self.wait_until((self.folder / "munge.sock").exists)
            self.daemon("slurmctld", "-D", "-f", self.conf)
            self.daemon("slurmd", "-D", "-f", self.conf)
            self.wait_until(lambda: self.call("sinfo", "-h", "-o", "%T").strip() == "idle")
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self):
        """Ends the jobs, then the daemons, last one first."""
        if len(self.daemons) == 3:
            self.call("scancel", "--user", pwd.getpwuid(os.geteuid()).pw_name)
            end = time.monotonic() + 10
            while self.call("squeue", "-h").strip() and time.monotonic() < end:
                time.sleep(0.2)
        while self.daemons:
            process = self.daemons.pop()[1]
            process.terminate()
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self.lock:
            if LINK.is_symlink() and os.readlink(LINK) == str(self.conf):
                LINK.unlink()
            self.lock.close()
            self.lock = None
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def write_configuration(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        key = os.open(self.folder / "munge.key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400)
        os.write(key, os.urandom(1024))
        os.close(key)
        ctld_port, slurmd_port = free_ports(2)
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.conf.write_text(CONF.format(
            host=socket.gethostname().split(".")[0], folder=self.folder, user=pwd.getpwuid(os.geteuid()).pw_name,
            ctld_port=ctld_port, slurmd_port=slurmd_port, cpus=os.cpu_count(), megabytes=pages * 9 // 10 >> 20))
        if self.link:
            LINK.parent.mkdir(parents=True, exist_ok=True)
            if LINK.is_symlink():
                LINK.unlink()  # left by a lab that was killed: a running one would hold the lock
            LINK.symlink_to(self.conf)

    def daemon(self, name, *arguments):
        with open(self.folder / f"{name}.out", "wb") as out:
            self.daemons.append((name, subprocess.Popen(
                [shutil.which(name, path=PATH), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT, env=self.environment(), cwd=self.folder, start_new_session=True,
                preexec_fn=die_with_parent)))

    def call(self, *command):
        return subprocess.run(command, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=SECONDS, check=False, text=True).stdout

    def wait_until(self, condition):
        end = time.monotonic() + SECONDS
        while not condition():
            for name, process in self.daemons:
                if process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f"{name}, exit {process.poll()}: "
                                       + (self.folder / f"{name}.out").read_text(errors="replace")[-1000:])
            time.sleep(0.2)


if __name__ == "__main__":
    wants_link = sys.argv[1:2] == ["--link"]
    with Slurm(link=wants_link) as node:
        sys.exit(subprocess.run(sys.argv[1 + wants_link:], env=node.environment(), check=False).returncode)
