# Writes the zones by hand, from README and the first page of the tutorial.
cp "$DOCS/README.md/go-1" main.go
go mod init yours
. "$DOCS/README.md/commands-2"
go run . | tee report
has report 'step'
soon 'go doc example.com/iprof >said' # it walks through all modules meanwhile
has said '^Package iprof is a frame profiler'
go list -deps example.com/iprof/gather >said # what iprof run -std refuses
has said '^time$'
(mkdir empty && cd empty && go mod init empty && go get example.com/iprof) && exit 1 # it is not published yet

mkdir ../balls && cd ../balls
cp "$DOCS/docs/tutorial/1-first-zone.md/go-1" main.go
. "$DOCS/docs/tutorial/1-first-zone.md/commands-1" | tee report
has report '|  `- move'

cd ../yours # the page that says how to take it into a program
. "$DOCS/docs/use.md/commands-1"
go build .

iprof html -o page.html ../iprof/nothing.iprof 2>error && exit 1
has error 'no such file'
