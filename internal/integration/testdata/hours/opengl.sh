# online
# Looks at a capture and at a sample game in the viewer's window, without a screen.
go mod init game
(cd ../iprof && go build -o "$OLDPWD/glviewer" ./cmd/glviewer)
./glviewer -version
xvfb-run -a -s '-screen 0 1280x720x24' ./glviewer -frames 100 -record game.iprof -screenshot game.png
[ -s game.png ]
xvfb-run -a -s '-screen 0 1280x720x24' ./glviewer -frames 20 -screenshot capture.png game.iprof
[ -s capture.png ]
