# Measures a program as it is, with a released command alone.
cp "$DOCS/docs/tutorial/5-no-edit.md/go-1" main.go
go mod init words
iprof version | tee said
has said '^iprof v'
. "$DOCS/docs/tutorial/5-no-edit.md/commands-1" | tee plan
has plan '^+ words.main *main.go:9'
has plan '4 of 4 functions would have a zone'
iprof run -include 'words\..*' . 2>report
has report 'text'
iprof run -frame main.text -o words.iprof . 2>report
iprof graph main.count words.iprof | tee graph
has graph 'main'
iprof help run >said
has said '-frame FUNC'
iprof help completion >said
has said PROFILE
iprof runn . 2>error && exit 1
cat error
[ "$(wc -l <error)" = 1 ]
has error 'iprof run'
[ ! -d "$GOMODCACHE/golang.org" ] # nothing was fetched
