#!/bin/bash
# Makes a root file system of what runs Node.js and nothing else, in the folder that is named: Node.js, the libraries that it,
# native packages and PostgreSQL load, an unprivileged user, and bash for the health check. No other program, no package manager.
set -euo pipefail
root=$1

copy() { # <file>: to the same path below the root, what it links to in its place
  mkdir -p "$root$(dirname "$1")"
  cp --dereference --preserve=mode "$1" "$root$1"
}

node=$(command -v node)
mkdir -p "$root"/{usr/local/bin,app,etc,tmp,var/lib/penstock/{spill,servers}}
cp --dereference "$node" "$root/usr/local/bin/node"
copy /usr/bin/bash

loaded=$(ldd "$node" /usr/bin/bash | grep --only-matching '/[^ ]*' | grep --invert-match ':$' | sort --unique)
libc=$(grep '/libc\.so' <<<"$loaded")
# Argon2 loads the first; by the others the C library looks up users and names.
for name in librt.so.1 libnss_files.so.2 libnss_dns.so.2 libresolv.so.2; do
  loaded+=$'\n'"$(dirname "$libc")/$name"
done
for library in $loaded; do copy "$library"; done

echo 'node:x:1000:1000::/:/usr/sbin/nologin' >"$root/etc/passwd"
echo 'node:x:1000:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
cp --dereference /etc/os-release "$root/etc/os-release"
# What must survive a restart, what queries spill, and files of PostgreSQL servers: a new volume has the owner that its folder
# has here. The rest of the tree may be read-only.
chown -R 1000:1000 "$root/var/lib/penstock"
chmod -R 0700 "$root/var/lib/penstock"
chmod 1777 "$root/tmp"

# So that scanners of images know the versions.
mkdir -p "$root/var/lib/dpkg/status.d"
for package in bash libc6 libgcc-s1 libstdc++6 libtinfo6; do
  dpkg-query --status "$package" >"$root/var/lib/dpkg/status.d/$package"
done
