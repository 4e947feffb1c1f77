"""No statement of the program scans a table that grows."""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).parent


def findings():
    run = subprocess.run(["planlint", "check", "--format", "json", ROOT], capture_output=True, text=True)
    # 0: nothing found, 1: something; anything else, and the tree could not be judged.
    assert run.returncode in (0, 1), run.stderr
    return [one for one in json.loads(run.stdout)["findings"] if one["state"] == "new"]


def test_no_statement_scans_a_growing_table():
    scans = [one for one in findings() if one["rule"] == "growing-table-scan"]
    assert not scans, [f"{one['place']['path']}:{one['place']['start']['line']}: {one['message']}" for one in scans]
