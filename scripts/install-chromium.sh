#!/bin/sh
# Installs Debian's chromium, which the tests and the pictures of the pages drive, where it is absent.
set -eu

if [ -x /usr/bin/chromium ]; then
  exit 0
fi
if ! command -v apt-get > /dev/null; then
  echo 'There is no apt here: install chromium yourself, so that /usr/bin/chromium is there.' >&2
  exit 1
fi
as_root=''
if [ "$(id -u)" -ne 0 ]; then
  as_root=sudo
fi
$as_root apt-get update -qq > /dev/null
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends chromium > /dev/null
