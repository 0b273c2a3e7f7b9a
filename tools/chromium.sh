#!/bin/sh
# Sees to it that there is a Chromium for the browser tests: finds one, or installs Debian's where
# that is allowed. Never fails: without one the tests say so themselves, and on CI they fail.
if [ -n "$CHROMIUM" ]; then exit 0; fi
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the browser tests ..."
    apt-get update -qq && apt-get install -y -qq chromium >/dev/null && exit 0
fi
echo "No Chromium: the browser tests will be skipped. Debian: sudo apt-get install chromium" >&2
