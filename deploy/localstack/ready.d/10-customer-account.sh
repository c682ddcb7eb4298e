#!/bin/bash
# A customer's account for the Docker stack: tables `customers` and `orders` with some items, and the access role that
# Penstock assumes under an external ID. Safe to run again: what is there stays as it is.
set -euo pipefail

SEED_DIR=${SEED_DIR:-/etc/penstock/seed}
# On LocalStack a 12-digit access key ID is the account.
export AWS_ACCESS_KEY_ID=$SEED_ACCOUNT AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=eu-west-1

# call <service> <operation> <file of the seed folder>: the placeholders @ACCOUNT@ and @EXTERNAL_ID@ are filled in.
call() {
  local input
  input=$(<"$SEED_DIR/$3") || return 1
  # Not sed's work: an external ID may hold what sed takes for its own. Quoted, an ampersand is one.
  input=${input//@ACCOUNT@/"$SEED_ACCOUNT"}
  input=${input//@EXTERNAL_ID@/"$SEED_EXTERNAL_ID"}
  awslocal "$1" "$2" --cli-input-json "$input" >/dev/null
}

# unless_there <the same>: goes on where the thing exists already, fails on every other error.
unless_there() {
  local output
  if ! output=$(call "$@" 2>&1); then
    grep -qE 'ResourceInUseException|EntityAlreadyExists' <<<"$output" && return 0
    echo "$output" >&2
    return 1
  fi
}

unless_there dynamodb create-table customers.table.json
unless_there dynamodb create-table orders.table.json
call dynamodb batch-write-item customers.items.json
call dynamodb batch-write-item orders.items.json
unless_there iam create-role role.json
call iam put-role-policy role-policy.json

echo "Seeded account $SEED_ACCOUNT: tables customers and orders, role penstock-access"
