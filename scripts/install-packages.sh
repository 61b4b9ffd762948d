#!/bin/sh
# Installs the Debian packages that tests use, if their commands are missing:
#   sh scripts/install-packages.sh chromium nginx:nginx-light
# Each argument is a command or the path of a file. If its package has a different name, add it after
# a colon.
set -eu

missing=''
for argument in "$@"; do
  wanted=${argument%%:*}
  case $wanted in /*) [ -e "$wanted" ] && continue ;; esac
  command -v "$wanted" > /dev/null || missing="$missing ${argument##*:}"
done
if [ -z "$missing" ]; then
  exit 0
fi
if ! command -v apt-get > /dev/null; then
  echo "apt-get is missing. Install these packages yourself:$missing" >&2
  exit 1
fi
as_root=''
if [ "$(id -u)" -ne 0 ]; then
  as_root=sudo
fi
$as_root apt-get update -qq > /dev/null
# shellcheck disable=SC2086 # Each name is a separate argument.
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends $missing > /dev/null
