#!/usr/bin/env python3
"""Checks the templates for CI systems: their members, the options that they use, and their scripts, which it runs.

usage: templates.py HEAPCHECK
Exits with 77, which ctest shows as skipped, if something could not be tried.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import yaml
except ImportError:
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus/mvmheap/v3/seed"
program = Path(sys.argv[1]).resolve()
failures: list[str] = []
untried: list[str] = []


def expect(what: str, found: object, expected: object) -> None:
    if found != expected:
        failures.append(f"{what}: found {found!r}, expected {expected!r}")


def load(path: str) -> dict | list:
    with open(ROOT / path, encoding="utf-8") as file:
        document = yaml.safe_load(file)
    # In YAML 1.1, the key `on` of a workflow is a truth value.
    if isinstance(document, dict) and True in document:
        document["on"] = document.pop(True)
    return document


def expect_members(what: str, members: dict, required: set[str], allowed: set[str]) -> None:
    expect(f"{what}: missing members", sorted(required - members.keys()), [])
    expect(f"{what}: unknown members", sorted(members.keys() - required - allowed), [])


# The members listed in the documentation of each system.

def check_hooks() -> None:
    for hook in load(".pre-commit-hooks.yaml"):
        expect_members(f"hook {hook.get('id')}", hook, {"id", "name", "entry", "language"},
                       {"description", "files", "types", "require_serial", "args"})
        pattern = re.compile(hook["files"])
        for name, is_dump in [("a/b.mvmheap", True), ("a.heapsnapshot.gz", True), ("a.heapprofile.zst", True),
                              ("a.heaptimeline", True), ("a.json", False), ("mvmheap.txt", False)]:
            expect(f"{hook['id']}: {name}", bool(pattern.search(name)), is_dump)
    configuration = load("examples/ci/pre-commit-config.yaml")
    ids = {hook["id"] for hook in load(".pre-commit-hooks.yaml")}
    for repository in configuration["repos"]:
        expect_members("repository", repository, {"repo", "rev", "hooks"}, set())
        expect("unknown hooks", {hook["id"] for hook in repository["hooks"]} - ids, set())


def check_steps(what: str, steps: list[dict], is_composite: bool) -> None:
    for step in steps:
        name = f"{what}: step {step.get('name', step.get('uses'))}"
        expect(f"{name}: has `run` or `uses`", ("run" in step) + ("uses" in step), 1)
        expect_members(name, step, {"shell"} if is_composite and "run" in step else set(),
                       {"name", "id", "if", "env", "run", "uses", "with", "working-directory"})
        if "uses" in step and not step["uses"].startswith("OWNER/"):
            expect(f"{name}: names a commit", bool(re.fullmatch(r"[^@]+@[0-9a-f]{40}", step["uses"])), True)


def check_action() -> None:
    action = load("action.yml")
    expect_members("action.yml", action, {"name", "description", "runs", "inputs"}, {"author", "outputs", "branding"})
    for name, details in action["inputs"].items():
        expect_members(f"input {name}", details, {"description"}, {"required", "default"})
    expect("using", action["runs"]["using"], "composite")
    check_steps("action.yml", action["runs"]["steps"], True)
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([a-z0-9-]+)", text))
    expect("inputs that are used", used, set(action["inputs"]))
    example = load("examples/ci/github.yml")
    given = example["jobs"]["heapcheck"]["steps"][1]["with"]
    expect("unknown inputs in the example", set(given) - set(action["inputs"]), set())
    required = {name for name, details in action["inputs"].items() if details.get("required")}
    expect("inputs that the example lacks", required - set(given), set())


def check_workflow(path: str) -> None:
    workflow = load(path)
    expect_members(path, workflow, {"on", "jobs", "permissions"}, {"name"})
    for name, job in workflow["jobs"].items():
        expect_members(f"{path}: {name}", job, {"runs-on", "steps"}, {"container", "needs", "permissions"})
        check_steps(path, job["steps"], False)


def check_gitlab() -> None:
    job = load("packaging/gitlab/heapcheck.gitlab-ci.yml")["heapcheck"]
    expect_members("GitLab's job", job, {"script", "image", "stage", "artifacts", "variables"}, set())
    expect("reports", sorted(job["artifacts"]["reports"]), ["codequality", "junit"])
    expect("reports are kept if the job fails", job["artifacts"]["when"], "always")
    for report in job["artifacts"]["reports"].values():
        expect(f"{report} is written", f"--output-file {report} " in "\n".join(job["script"]), True)
    example = load("examples/ci/gitlab.yml")["heapcheck"]["variables"]
    expect("unknown variables in the example", set(example) - set(job["variables"]), set())


# Options.

def options_of_validate() -> dict[str, str]:
    """The options, and the values listed for them in the help."""
    help_text = subprocess.run([program, "validate", "--help"], check=True, capture_output=True, text=True).stdout
    return dict(re.findall(r"^ +(?:-\w,)?(--[a-z-]+) ?([^ ,]*(?:, [^ ,]+)*)", help_text, re.MULTILINE))


def is_choice(word: str, values: str) -> bool:
    return word in re.split(r"\||, ", values)


def check_options(options: dict[str, str]) -> None:
    paths = [".pre-commit-hooks.yaml", "action.yml", "packaging/github/check", "examples/ci/github.yml",
             "packaging/gitlab/heapcheck.gitlab-ci.yml", "examples/ci/gitlab.yml", "docs/installing.md"]
    count = 0
    for path in paths:
        for line in (ROOT / path).read_text(encoding="utf-8").splitlines():
            used = re.search(r"(?:(?:heapcheck|HEAPCHECK\"?) validate|HEAPCHECK_OPTIONS:|options\+=)(.*)", line)
            if used is None:
                continue
            for option, word in re.findall(r"(--[a-z][a-z-]*)(?: ([a-z]+))?", used[1]):
                count += 1
                expect(f"{path}: {option} is an option of validate", option in options, True)
                if option == "--fail-level" and word:
                    expect(f"{path}: {word}", is_choice(word, options[option]), True)
    expect("some options are found", count > 8, True)


# Scripts.

def run(arguments: list[str], folder: Path, **variables: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, **variables}
    return subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def make_release(folder: Path, version: str) -> str:
    """Makes a release with a program that only prints its name. Returns its checksum."""
    name = f"heapcheck-{version}-linux-{os.uname().machine}"
    release = folder / "releases" / f"v{version}"
    release.mkdir(parents=True)
    (release / name).write_text("#!/bin/sh\necho a program\n", encoding="utf-8")
    checksum = hashlib.sha256((release / name).read_bytes()).hexdigest()
    (release / "SHA256SUMS").write_text(f"{'0' * 64}  {name}.tar.zst\n{checksum}  {name}\n", encoding="utf-8")
    return checksum


def check_install(folder: Path) -> None:
    if shutil.which("curl") is None:
        untried.append("packaging/github/install: there is no curl")
        return
    script = str(ROOT / "packaging/github/install")
    checksum = make_release(folder, "1.2.3")
    variables = {"HEAPCHECK_RELEASES": f"file://{folder}/releases", "HEAPCHECK_VERSION": "1.2.3"}
    for name, sha256, status in [("looked-up", "", 0), ("given", checksum, 0), ("wrong", "1" * 64, 1)]:
        result = run([script], folder, **variables, HEAPCHECK_SHA256=sha256, HEAPCHECK_FOLDER=str(folder / name))
        expect(f"install with a checksum that is {name}", result.returncode, status)
        expect(f"installed if the checksum is {name}", (folder / name / "heapcheck").exists(), status == 0)
    variables["HEAPCHECK_VERSION"] = "9.9.9"
    result = run([script], folder, **variables, HEAPCHECK_SHA256="", HEAPCHECK_FOLDER=str(folder / "none"))
    expect("install of a release that does not exist fails", result.returncode != 0, True)


def check_check(folder: Path) -> None:
    for names, options, status in [(["two-snapshots.mvmheap"], "", 0),
                                   (["two-snapshots.mvmheap", "cut.mvmheap"], "--jobs 1  --quiet", 1)]:
        output = folder / "github-output"
        output.write_text("", encoding="utf-8")
        paths = "\n".join(["", *(str(CORPUS / name) for name in names), ""])
        result = run([str(ROOT / "packaging/github/check")], folder, HEAPCHECK=str(program), HEAPCHECK_PATHS=paths,
                     HEAPCHECK_OPTIONS=options, HEAPCHECK_FAIL_LEVEL="error", HEAPCHECK_SARIF="report.sarif",
                     GITHUB_OUTPUT=str(output))
        expect(f"check {names}", (result.returncode, result.stderr), (0, ""))
        expect(f"output of check {names}", output.read_text(encoding="utf-8"), f"exit-status={status}\n")
        with open(folder / "report.sarif", encoding="utf-8") as report:
            expect("version of SARIF", json.load(report)["version"], "2.1.0")


def check_gitlab_script(folder: Path) -> None:
    job = load("packaging/gitlab/heapcheck.gitlab-ci.yml")["heapcheck"]
    # A program `wget` that copies heapcheck to the file after -O.
    (folder / "bin").mkdir()
    (folder / "bin/wget").write_text(f"#!/bin/sh\ncp {shlex.quote(str(program))} \"$3\"\n", encoding="utf-8")
    (folder / "bin/wget").chmod(0o755)
    variables = {name: str(value) for name, value in job["variables"].items()}
    variables["HEAPCHECK_SHA256"] = hashlib.sha256(program.read_bytes()).hexdigest()
    variables["PATH"] = f"{folder}/bin:{os.environ['PATH']}"
    variables["HEAPCHECK_PATHS"] = f"{CORPUS}/two-snapshots.mvmheap {CORPUS}/cut.mvmheap"
    script = "set -e\n" + "\n".join(job["script"])
    expect("GitLab's script", run(["sh", "-c", script], folder, **variables).returncode, 1)
    for report in job["artifacts"]["reports"].values():
        expect(f"{report} exists", (folder / report).exists(), True)
    variables["HEAPCHECK_SHA256"] = "1" * 64
    variables["HEAPCHECK_PATHS"] = f"{CORPUS}/two-snapshots.mvmheap"
    expect("a wrong checksum", run(["sh", "-c", script], folder, **variables).returncode, 1)


def check_scripts() -> None:
    for check in (check_install, check_check, check_gitlab_script):
        with tempfile.TemporaryDirectory() as folder:
            check(Path(folder))


def check_versions() -> None:
    version = re.search(r"project\(heapcheck VERSION ([0-9.]+) ", (ROOT / "CMakeLists.txt").read_text())[1]
    changelog = (ROOT / "packaging/debian/changelog").read_text(encoding="utf-8")
    expect("version of the Debian packages", changelog.split()[1], f"({version})")
    expect("version of the action", load("action.yml")["inputs"]["version"]["default"], version)
    job = load("packaging/gitlab/heapcheck.gitlab-ci.yml")["heapcheck"]
    expect("version of GitLab's job", job["variables"]["HEAPCHECK_VERSION"], version)
    server = json.loads((ROOT / "examples/agents/server.json").read_text(encoding="utf-8"))
    for package in server["packages"]:
        found = package.get("version") or package["identifier"].rsplit(":", 1)[1]
        expect(f"version of the server in {package['registryType']}", found, version)
    expect("version of the server", server["version"], version)
    for path in (ROOT / "examples/ci").iterdir():
        for found in re.findall(r"\bv(\d+\.\d+\.\d+)\b", re.sub(r"#.*", "", path.read_text(encoding="utf-8"))):
            expect(f"version in {path.name}", found, version)


def check_sbom() -> None:
    sbom = [str(ROOT / "packaging/sbom"), "1.2.3", "f" * 40, str(program)]
    result = run([*sbom, "libzstd-dev", "zlib1g-dev"], ROOT, SOURCE_DATE_EPOCH="86400")
    document = json.loads(result.stdout)
    for key, value in [("spdxVersion", "SPDX-2.3"), ("dataLicense", "CC0-1.0"), ("SPDXID", "SPDXRef-DOCUMENT")]:
        expect(key, document[key], value)
    expect("created", document["creationInfo"]["created"], "1970-01-02T00:00:00Z")
    expect("creators", [re.fullmatch(r"Tool: \S+-\S+", who) is not None for who in
                        document["creationInfo"]["creators"]], [True])
    ids = [package["SPDXID"] for package in document["packages"]]
    expect("packages", [package["name"] for package in document["packages"]], ["heapcheck", "libzstd", "zlib"])
    for package in document["packages"]:
        expect_members(package["name"], package, {"SPDXID", "name", "downloadLocation", "versionInfo",
                                                  "licenseDeclared", "filesAnalyzed"},
                       {"supplier", "licenseConcluded", "copyrightText", "externalRefs", "checksums",
                        "packageFileName"})
        expect("form of the id", bool(re.fullmatch(r"SPDXRef-[a-zA-Z0-9.-]+", package["SPDXID"])), True)
    checksum = hashlib.sha256(program.read_bytes()).hexdigest()
    expect("checksum", document["packages"][0]["checksums"][0]["checksumValue"], checksum)
    expect("relationships", [(one["relationshipType"], one["relatedSpdxElement"]) for one in
                             document["relationships"]],
           [("DESCRIBES", ids[0]), ("STATIC_LINK", ids[1]), ("STATIC_LINK", ids[2])])
    unknown = run([*sbom, "bash"], ROOT, SOURCE_DATE_EPOCH="0")
    expect("a package without a known licence", unknown.returncode, 1)


def main() -> None:
    options = options_of_validate()
    check_hooks()
    check_action()
    check_workflow("examples/ci/github.yml")
    check_workflow(".github/workflows/release.yml")
    check_gitlab()
    check_options(options)
    check_scripts()
    check_versions()
    if shutil.which("dpkg-query"):
        check_sbom()
    for failure in failures:
        print("FAILED:", failure)
    for reason in untried:
        print("not tried:", reason)
    sys.exit(1 if failures else 77 if untried else 0)


if __name__ == "__main__":
    main()
