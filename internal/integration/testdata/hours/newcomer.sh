# Writes the zones by hand, from README and the first page of the tutorial.
cp "$DOCS/README.md/go-1" main.go
go mod init yours
. "$DOCS/README.md/commands-2"
go run . | tee report
grep -q 'step' report
go doc example.com/iprof | grep -q '^Package iprof is a frame profiler'
go list -deps example.com/iprof/gather | grep -qx time # what iprof run -std refuses
(mkdir empty && cd empty && go mod init empty && go get example.com/iprof) && exit 1 # it is not published yet

mkdir ../balls && cd ../balls
cp "$DOCS/docs/tutorial/1-first-zone.md/go-1" main.go
. "$DOCS/docs/tutorial/1-first-zone.md/commands-1" | tee report
grep -q '|  `- move' report

cd ../yours # the page that says how to take it into a program
. "$DOCS/docs/use.md/commands-1"
go build .

iprof html -o page.html ../iprof/nothing.iprof 2>&1 | grep -q 'no such file'
