#!/usr/bin/env bash
# Runs the tests of NKI kernels on AWS's simulator, in a separate environment. No device is needed.
set -euo pipefail
cd "$(dirname "$0")/../.."
python3.12 -m venv build/neuron
build/neuron/bin/pip install -q --extra-index-url https://pip.repos.neuron.amazonaws.com nki numpy ml_dtypes pytest
build/neuron/bin/python -c "import nki; print('nki', getattr(nki, '__version__', 'of an unknown version'))"
NEURON_PLATFORM_TARGET_OVERRIDE="${NEURON_PLATFORM_TARGET_OVERRIDE:-trn2}" \
  build/neuron/bin/python -m pytest -q --noconftest -c /dev/null --rootdir . tests/neuron/test_nki_kernels.py
