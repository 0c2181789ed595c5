#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An assembler that does not come to an end. Creates the file $STARTED first, if
# that is set. Ends after a minute, lest it outlive a test that is killed.
[ -z "$STARTED" ] || : > "$STARTED"
exec sleep 60
