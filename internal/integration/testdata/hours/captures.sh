# Keeps a program's frames, looks at them with each command, and compares two versions.
cp "$DOCS/docs/tutorial/4-captures.md/go-1" main.go
go mod init game
go mod edit -require=example.com/iprof@v0.3.0 -replace=example.com/iprof=../iprof
go mod tidy
go build -o game .
./game
. "$DOCS/docs/tutorial/4-captures.md/commands-1" >seen
has seen physics
has seen 'http://127.0.0.1:'
has game.html physics
[ -s game.pftrace ]
compared() {
	rm -f before.iprof after.iprof
	./game -record before.iprof && ./game -record after.iprof -slow
	status=0
	(. "$DOCS/docs/tutorial/4-captures.md/commands-2") >changes || status=$?
	cat changes
	[ "$status" = 1 ] && has changes 'slower  physics'
}
again compared
iprof help export >formats # the list that docs/export.md names
for format in pprof perfetto chrome folded csv openmetrics; do
	has formats "  -format $format  "
done
iprof html before.iprof after.iprof 2>error && exit 1
has error 'iprof diff before.iprof after.iprof'
