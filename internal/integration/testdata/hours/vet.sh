# online
# Finds the mistakes in a program's zones, and mends those whose repair is certain.
PATH="$(go env GOPATH)/bin:$PATH"
go mod init game
cat >main.go <<'GO'
package main

import (
	"errors"
	"fmt"
	"os"

	"example.com/iprof"
)

func step() error {
	defer iprof.Begin("step")
	s := iprof.Begin("load")
	if len(os.Args) > 1 {
		return errors.New("too early")
	}
	s.End()
	return nil
}

func main() { fmt.Println(step()) }
GO
go mod edit -require=example.com/iprof@v0.3.0 -replace=example.com/iprof=../iprof
go mod tidy
(. "$DOCS/docs/use.md/commands-2") 2>found && exit 1
cat found
has found 'main.go:12:8: defer enters the zone at the end of the function'
has found 'main.go:13:2: scope s is still open at the return in line 15'
iprofvet -fix ./... || true
has main.go 'defer iprof.Begin("step").End()'
iprofvet ./... 2>found && exit 1
has found 'line 15'
[ "$(grep -c 'go:13:2' found)" = 1 ]
