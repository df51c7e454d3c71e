# Each script begins with these. What a script wants it waits for, as long as a slow machine may need.

# A port that no other test has.
port=$((20000 + $$ % 10000))

# has FILE WORD: the file has a line with the word. Else it is printed.
has() {
	grep -q -e "$2" "$1" && return
	echo "want '$2'; got in $1:"
	cat "$1"
	return 1
}

# soon COMMAND: the command succeeds in one of many tries. What the last one says is printed if none does.
soon() {
	for _ in $(seq 600); do
		eval "$1" >"$TMPDIR/tried" 2>&1 && return
		sleep 0.2
	done
	echo "never succeeded: $1"
	cat "$TMPDIR/tried"
	return 1
}

# again COMMAND: the command succeeds in one of ten tries. It measures time, and a machine with other work may hide a
# millisecond.
again() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		(eval "$1") && return
	done
	echo "in ten tries never succeeded: $1"
	return 1
}

# ended PID: the program has ended well after an interrupt.
ended() {
	kill -INT "$1"
	wait "$1" || [ $? = 130 ] || { echo "an interrupted program ended badly"; return 1; }
}
