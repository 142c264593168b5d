"""`doctor`: its report as text and JSON, its exit codes, and that its self-test covers all algorithms."""
import json
import os
import re
import subprocess
import unittest

from support import BINARY, Case, algorithm_words, devices, environment, isas

SECTIONS = ["Build", "Machine", "GPUs", "Self-test against the plain oracle, seed 1: ", "What auto chooses here, with ", "Problems"]


class Doctor(Case):
    def doctor(self, *arguments, code=0, env=None):
        """Runs doctor on the CPU; returns its JSON and its text."""
        done = self.run_here("--device", "cpu", "--json", "doctor.json", *arguments, command="doctor", env=env)
        self.assertEqual((done.returncode, done.stderr), (code, b""), done.stdout.decode())
        self.assertEqual(self.listing(), ["doctor.json"])
        return json.loads((self.folder / "doctor.json").read_text()), done.stdout.decode()

    def algorithms(self, command):
        """Returns the values of a command's `--algorithm`."""
        return set(algorithm_words(command))

    def test_report(self):
        report, text = self.doctor()
        self.assertTrue(text.startswith("basesweep "))
        self.assertEqual([section for section in SECTIONS if f"\n{section}" not in text], [])
        self.assertEqual(report["schema"], "basesweep-doctor/1")
        self.assertIn(f"basesweep {report['version']} doctor", text)
        machine = report["machine"]
        self.assertEqual(machine["processors"], os.cpu_count())
        self.assertEqual(machine["affine_processors"], len(os.sched_getaffinity(0)))
        self.assertLessEqual(1, machine["threads"])
        self.assertLessEqual(machine["threads"], machine["affine_processors"])
        self.assertEqual(machine["instruction_sets"], isas())
        self.assertLess(0, machine["available_memory_bytes"])
        self.assertLess(machine["available_memory_bytes"], machine["memory_bytes"])
        self.assertEqual(set(report["libraries"]),
                         {"glibc", "HTSlib", "oneTBB", "ISA-L", "libzstd", "libbz2", "liblzma", "fmt", "nlohmann-json"})
        for name, version in report["libraries"].items():
            self.assertRegex(version, r"^\d+\.\d+", name)
            self.assertIn(f"{name} {version}", text)
        self.assertNotRegex(text, r"[ \t]\n")
        for way in ("; BGZF, decompressed by ISA-L in ", "xz, decompressed by liblzma in one thread"):
            self.assertIn(way, text)

        self.check_self_test(report, text)

    def check_self_test(self, report, text):
        """Checks that the self-test covers every algorithm with every instruction set."""
        rows = report["self_test"]["rows"]
        self.assertEqual({row["verdict"] for row in rows}, {"ok"}, text)
        self.assertEqual([row for row in rows if row["sets"] == 0 or row["repeat"]], [])
        for command in ("motif", "match", "pwm", "map"):
            for isa in isas():
                tested = {row["algorithm"].split(",")[0] for row in rows
                          if (row["command"], row["device"]) == (command, f"cpu {isa}")}
                self.assertEqual(tested, self.algorithms(command), (command, isa))
        for isa in isas():
            tested = {row["algorithm"] for row in rows if (row["command"], row["device"]) == ("guides", f"cpu {isa}")}
            self.assertEqual(tested, {"auto", "patterns", "sites", "words"}, isa)
            for command in ("demux", "trim", "count"):
                self.assertIn((command, f"cpu {isa}"), {(row["command"], row["device"]) for row in rows})
        self.assertEqual({row["algorithm"].split(", ")[1] for row in rows if row["command"] == "map"}, {"index", "sweep"})
        self.assertEqual({row["device"] for row in rows if row["command"] == "files"}, {f"cpu {isa}" for isa in isas()})
        for row in rows:
            self.assertRegex(text, rf"{row['command']} +{re.escape(row['algorithm'])} +ok +.*{row['device']}")

    def test_seed_and_none(self):
        for seed in (0, 2**64 - 1):
            report, text = self.doctor("--seed", seed)
            self.assertEqual({row["verdict"] for row in report["self_test"]["rows"]}, {"ok"}, text)
            self.assertEqual(report["self_test"]["seed"], seed)
        report, text = self.doctor("--no-self-test")
        self.assertIsNone(report["self_test"])
        self.assertNotIn("Self-test", text)

    def test_json_alone(self):
        done = self.run_here("--device", "cpu", "--no-self-test", "--json", "-", command="doctor")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(json.loads(done.stdout)["schema"], "basesweep-doctor/1")
        self.assertEqual(self.listing(), [])

    def test_automatic_choices(self):
        report, text = self.doctor("--no-self-test")
        self.assertEqual({choice["command"] for choice in report["auto"]}, {"motif", "match", "map"})
        self.assertEqual({choice["bases"] for choice in report["auto"]}, {5_000_000, 3_100_000_000})
        for choice in report["auto"]:
            for key in ("task", "device", "device_reason", "algorithm", "algorithm_reason"):
                self.assertIn(choice[key], text)
        # a run names the same algorithm
        said = self.run_here("-v", "-p", "ACGTACGTACGT", self.file("a.fa", ">a\nACGT\n"), env=environment()).stderr.decode()
        self.assertIn(f"algorithm: {report['auto'][0]['algorithm']} for", said)

    def test_instruction_set(self):
        for isa in isas():
            report, _ = self.doctor(env=environment(BASESWEEP_ISA=isa))
            self.assertEqual({row["device"] for row in report["self_test"]["rows"]}, {f"cpu {isa}"})
            self.assertEqual(report["machine"]["environment"]["BASESWEEP_ISA"], isa)
        self.refused(2, "--device", "cpu", says=["BASESWEEP_ISA=avx3: expected"], files=(), command="doctor",
                     env=environment(BASESWEEP_ISA="avx3"))

    def test_gpu_memory(self):
        """A limit that is not a number is a wrong setting, with or without a GPU."""
        for wrong in ("4G", "-1"):
            self.refused(2, "--device", "cpu", says=[f"BASESWEEP_GPU_MEMORY={wrong}: expected a number of bytes"], files=(),
                         command="doctor", env=environment(BASESWEEP_GPU_MEMORY=wrong))
        if "gpu" in devices():  # too little for anything
            done = self.run_here("--json", "d.json", command="doctor", env=environment(BASESWEEP_GPU_MEMORY="1"))
            report = json.loads((self.folder / "d.json").read_text())
            self.assertEqual(done.returncode, 0, done.stdout.decode())
            self.assertEqual({row["verdict"] for row in report["self_test"]["rows"] if row["device"].startswith("gpu")},
                             {"not run"}, done.stdout.decode())
            self.assertIn("did not run", report["problems"][0])
            done = self.run_here("--device", "gpu", command="doctor", env=environment(BASESWEEP_GPU_MEMORY="1"))
            self.assertEqual(done.returncode, 75, done.stdout.decode())

    def test_temporary_folder(self):
        report, text = self.doctor(env=environment(TMPDIR="/nowhere"))
        problem = "/nowhere cannot be written to: set TMPDIR to a writable folder"
        self.assertIn(problem, report["problems"])
        self.assertIn(f"  {problem}\n", text)
        self.assertIsNone(report["machine"]["temporary_bytes"])
        rows = [row for row in report["self_test"]["rows"] if row["command"] == "files"]
        self.assertEqual({row["verdict"] for row in rows}, {"not run"})
        self.assertIn("/nowhere", rows[0]["reason"])

    def test_gpu(self):
        done = self.run_here("--device", "gpu", "--json", "doctor.json", command="doctor")
        report = json.loads((self.folder / "doctor.json").read_text())
        if "gpu" in devices():
            self.assertEqual(done.returncode, 0, done.stdout.decode())
            self.assertEqual({row["device"] for row in report["self_test"]["rows"]}, {"gpu 0"})
            self.assertEqual({row["verdict"] for row in report["self_test"]["rows"]}, {"ok"}, done.stdout.decode())
            return
        self.assertEqual((done.returncode, done.stderr), (75, b""))
        self.assertEqual(report["self_test"]["rows"], [])
        self.assertTrue(report["problems"][0].startswith("GPU 0 is not usable: "), report["problems"])
        self.assertEqual(len(report["gpu_troubles"]), 1)
        self.assertIn(report["gpu_troubles"][0], done.stdout.decode())

    def test_no_gpu_is_no_failure(self):
        done = self.run_here("--no-self-test", "--json", "-", command="doctor",
                             env=environment(CUDA_VISIBLE_DEVICES=""))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        report = json.loads(done.stdout)
        self.assertEqual(report["gpus"], [])
        self.assertEqual({choice["device"] for choice in report["auto"]}, {"cpu"})
        self.assertTrue(report["gpu_troubles"][0].startswith("no GPU: "), report["gpu_troubles"])

    def test_refused(self):
        for arguments, part in ((["--device", "tpu"], "--device tpu"), (["--seed", "x"], "--seed"), (["--seed", "-1"], "-1"),
                                (["--bogus"], "--bogus"),
                                (["more"], "more"), (["--json", ""], "--json")):
            self.refused(2, *arguments, says=[part], files=(), command="doctor")
        self.refused(4, "--json", "no/such/folder.json", says=["no/such/folder.json"], files=(), command="doctor")

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BINARY, "doctor", "--no-self-test"], stdout=full, stderr=subprocess.PIPE, check=False,
                                  env=environment())
        self.assertEqual(done.returncode, 4, done.stderr)


if __name__ == "__main__":
    unittest.main()
