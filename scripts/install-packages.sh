#!/bin/sh
# Installs Debian packages that tests drive, where their commands are absent:
#   sh scripts/install-packages.sh chromium nginx:nginx-light
# Each argument is a command, with the package after a colon where its name is another.
set -eu

missing=''
for argument in "$@"; do
  command -v "${argument%%:*}" > /dev/null || missing="$missing ${argument##*:}"
done
if [ -z "$missing" ]; then
  exit 0
fi
if ! command -v apt-get > /dev/null; then
  echo "There is no apt here. Install these yourself:$missing" >&2
  exit 1
fi
as_root=''
if [ "$(id -u)" -ne 0 ]; then
  as_root=sudo
fi
$as_root apt-get update -qq > /dev/null
# shellcheck disable=SC2086 # The names are separate words.
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends $missing > /dev/null
