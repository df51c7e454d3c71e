# online
# Runs the measurements of docs/cost.md, docs/governor.md and docs/export.md, each shortened: their numbers are for the
# pages, not for here.
cd ../iprof
short() { # short COMMAND OLD NEW: the command with a part of it in short
	echo "\$ $1"
	sh -euc "$(printf %s "$1" | sed "s|$2|$3|")"
}
short 'cd bench && go run .' '$' ' -rounds 1'
short 'cd bench && go run . -rounds 150' 150 1
short 'cd bench && go run ./flake -runs 9' 9 '1 -pixels 32'
short 'cd bench && go run ./flake -pixels 512 -runs 9' '512 -runs 9' '32 -runs 1'
short 'cd bench && go run ./overhead -runs 4' 4 1
cd bench
short 'go run ./overhead -only requests -limit 0.02 -update 16ms' '$' ' -runs 1'
cd ..
short "go test -bench 'BenchmarkBegin/.*muted' ./internal/integration/api" 'go test' "go test -run '^$' -benchtime 100x"
short 'go test -bench BenchmarkBegin ./internal/measure' 'go test' "go test -run '^$' -benchtime 100x"
short "$(
	cat <<'GO'
go test -run '^$' -bench 'Begin|Events|PerCall' -count 200 -benchtime 5000x ./internal/measure
GO
)" 'count 200' 'count 1'
short 'cd exectrace && go test -run xxx -bench BenchmarkBegin' '$' ' -benchtime 100x'
