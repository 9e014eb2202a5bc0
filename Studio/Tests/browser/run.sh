#!/usr/bin/env bash
# Tests Realm Studio in a real browser: needs Debian's chromium and chromium-driver (or Chrome with its driver) and Selenium, which it gets from PyPI.
# STUDIO_PICTURES=DIR keeps a picture of the page after each test. Arguments choose tests: run.sh test_objects.Objects.test_sorting_by_a_column
set -euo pipefail
cd "$(dirname "$0")"
environment=../../.build/browser-tests
if ! "$environment/bin/python" -c 'import selenium' 2>/dev/null; then
  python3 -m venv "$environment"
  "$environment/bin/pip" -q install 'selenium>=4.20,<5'
fi
if (($#)); then exec "$environment/bin/python" -m unittest -v "$@"; fi
exec "$environment/bin/python" -m unittest discover -v -p 'test_*.py'
