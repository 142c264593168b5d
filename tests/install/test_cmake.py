"""`cmake --install` puts files in the usual places, and the installed program runs."""
import os
import re
import subprocess

import support


class Install(support.Case):
    def installed(self):
        prefix = self.folder / "a prefix"
        self.succeeds(support.run("cmake", "--install", support.BUILD, "--prefix", prefix, "--component", "program"))
        return prefix

    def test_files(self):
        found = support.files_below(self.installed())
        wanted = ("bin/basesweep", "share/doc/basesweep/LICENSE", "share/doc/basesweep/CHANGELOG.md",
                  "share/zsh/site-functions/_basesweep", *support.DOCUMENTS, *support.PAGES, *support.COMPLETIONS)
        self.assertEqual([name for name in wanted if name not in found], [], found)
        self.assertEqual([name for name in found if not name.startswith(("bin/", "share/"))], [])
        self.assertEqual({name for name in found if name.startswith("share/man/")}, set(support.PAGES))

    def test_links_of_documents(self):
        """The targets of links in documents are installed too."""
        documents = self.installed() / "share/doc/basesweep"
        linked = set()
        for name in support.files_below(documents):
            if name.endswith(".md"):
                for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (documents / name).read_text()):
                    linked.add(target)
                    self.assertTrue((documents / name).parent.joinpath(target).is_file(), f"{name}: {target}")
        self.assertIn("docs/formats.md", linked)

    def test_removed(self):
        """The commands of docs/install.md remove every file below this prefix."""
        prefix = self.installed()
        page = (support.ROOT / "docs/install.md").read_text()
        commands = re.search(r"^To remove the program, .*?```sh\n(.*?)```", page, re.MULTILINE | re.DOTALL).group(1)
        self.assertIn("cd /usr/local\n", commands)
        commands = commands.replace("cd /usr/local\n", 'cd "$0"\n').replace("sudo ", "")
        self.succeeds(support.run("sh", "-euc", commands, prefix))
        self.assertEqual(support.files_below(prefix), [])

    def test_runs_there(self):
        """The program runs without environment variables, from another folder, with the libraries of the system."""
        program = self.installed() / "bin/basesweep"
        done = subprocess.run([str(program), *support.SEARCH], input=support.FASTA, stdout=subprocess.PIPE, env={},
                              cwd="/", timeout=support.SECONDS, check=True, text=True)
        self.assertEqual(done.stdout, support.BED)
        self.assertIn("\nProblems\n  none\n", self.succeeds(support.run(program, "doctor", "--device", "cpu", cwd="/", env={})))
        self.assertEqual(self.succeeds(support.run(program, *support.lambda_job(support.ROOT / "test-data"), cwd="/", env={})), support.lambda_hits())
        support.need("readelf")
        dynamic = self.succeeds(support.run("readelf", "-d", program))
        self.assertIn("NEEDED", dynamic)
        self.assertNotRegex(dynamic, "RPATH|RUNPATH")

    def test_no_trace_of_the_build(self):
        """Text files do not name folders of the build or of the checkout."""
        prefix = self.installed()
        for name in support.files_below(prefix / "share"):
            text = (prefix / "share" / name).read_bytes()
            for folder in (support.BUILD, support.ROOT):
                self.assertNotIn(os.fsencode(folder), text, name)

    def test_destdir(self):
        self.succeeds(support.run("cmake", "--install", support.BUILD, "--prefix", "/usr", "--component", "program",
                                  env={**os.environ, "DESTDIR": str(self.folder)}))
        self.assertTrue((self.folder / "usr/bin/basesweep").is_file())
        self.assertEqual(os.listdir(self.folder), ["usr"])
