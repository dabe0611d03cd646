#!/bin/sh
# What a CI job runs: the model is well-formed, and every test passes. The exit code is the answer;
# results.xml (JUnit) and report.html hold the details.
set -eu
cd "$(dirname "$0")"
tioga check door.tioga
tioga test --repeat 5 --keep-going --junit results.xml --html report.html
tioga run --repeat 5 --keep-going --no-journal
