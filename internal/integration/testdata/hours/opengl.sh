# online
# Looks at a capture and at a sample game in the viewer's window, without a screen.
go mod init game
(cd ../iprof && go build -o "$OLDPWD/glviewer" ./cmd/glviewer)
./glviewer -version
go -C ../iprof install ./cmd/glviewer # as docs/use.md has it: go install ./cmd/glviewer
"$(go env GOPATH)/bin/glviewer" -version
xvfb-run -a -s '-screen 0 1280x720x24' ./glviewer -hitch 300 -blackbox hitches -frames 700
for file in hitches/*.iprof; do # a machine with other work has more than one hitch
	iprof verdicts "$file"
done >verdicts
has verdicts hitch
xvfb-run -a -s '-screen 0 1280x720x24' ./glviewer -frames 100 -record game.iprof -screenshot game.png
[ -s game.png ]
xvfb-run -a -s '-screen 0 1280x720x24' ./glviewer -frames 20 -screenshot capture.png game.iprof
[ -s capture.png ]
