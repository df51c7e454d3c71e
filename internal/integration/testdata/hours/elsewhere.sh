# Builds programs for Windows and macOS, with zones, from here.
cp "$DOCS/docs/tutorial/5-no-edit.md/go-1" main.go
go mod init words
GOOS=windows GOARCH=amd64 iprof build -o words.exe .
GOOS=darwin GOARCH=arm64 iprof build -o words.mac .
ls -l words.exe words.mac
