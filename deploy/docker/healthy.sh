#!/usr/bin/bash
# Whether the process takes work, as /readyz says; by bash alone, for a Node.js of its own costs more than the answer.
exec 3<>"/dev/tcp/127.0.0.1/$PENSTOCK_HEALTH_PORT" || exit 1
printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
read -r -t 2 _ status _ <&3 && [[ $status == 200 ]]
