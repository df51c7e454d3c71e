# Measures a program as it is, with a released command alone.
cp "$DOCS/docs/tutorial/5-no-edit.md/go-1" main.go
go mod init words
iprof version | grep '^iprof v'
. "$DOCS/docs/tutorial/5-no-edit.md/commands-1" | tee plan
grep -q '^+ words.main *main.go:9' plan
grep -q '4 of 4 functions would have a zone' plan
iprof run -include 'words\..*' . 2>report
grep -q 'text' report
iprof run -frame main.text -o words.iprof . 2>report
iprof graph main.count words.iprof | tee graph
grep -q 'main' graph
iprof help run | grep -q -- '-frame FUNC'
iprof help completion | grep -q PROFILE
iprof runn . 2>error && exit 1
[ "$(wc -l <error)" = 1 ] && grep -q 'iprof run' error
[ ! -d "$GOMODCACHE/golang.org" ] # nothing was fetched
