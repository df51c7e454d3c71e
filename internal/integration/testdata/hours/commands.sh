# Runs the table of commands of the tutorial's last page on a module with a game, a shop and a test.
go mod init yours
mkdir -p cmd/game cmd/shop physics
cat >physics/physics.go <<'GO'
package physics

func Step(n int) (sum int) {
	for i := range n {
		sum += i * i % 7
		if sum > 1000 {
			sum -= 999
		}
		for sum%3 == 0 {
			sum++
		}
	}
	return sum
}
GO
cat >physics/physics_test.go <<'GO'
package physics

import "testing"

func TestStep(t *testing.T) {
	if Step(1_000_000) == 0 {
		t.Error("nothing")
	}
}
GO
cat >game.go <<'GO'
package game

import "yours/physics"

type Game struct{ Frames int }

func (g *Game) Update() {
	g.Frames++
	Step()
}

func Step() { physics.Step(100_000) }
GO
cat >cmd/game/main.go <<'GO'
package main

import (
	"os"
	"time"

	game "yours"
)

func main() {
	most := 100
	if len(os.Args) > 1 {
		most = 10_000_000
	}
	for g := new(game.Game); g.Frames < most; time.Sleep(time.Millisecond) {
		g.Update()
	}
}
GO
cat >cmd/shop/main.go <<'GO'
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"yours/physics"
)

func items(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, physics.Step(10_000)) }

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items", items)
	for range 50 {
		mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/items", nil))
	}
}
GO
iprof run ./cmd/game 2>report
has report Step
iprof run -frame 'game.(*Game).Update' ./cmd/game 2>report
has report 'frames: median'
iprof run -frame Step ./cmd/game 2>error && exit 1
has error 'several functions have that name; name one of them: yours.Step, yours/physics.Step'
iprof run -frame physics.Step ./cmd/game 2>report
has report 'frames: median'
iprof run -listen 127.0.0.1:0 ./cmd/game 2>report
has report 'iprof: http://127.0.0.1:[1-9][0-9]*/debug/iprof/'
iprof run -frame routes ./cmd/shop 2>report
has report '50 .*GET /items'
DISPLAY=:0 iprof run -view ./cmd/game 2>report
has report 'its window is open'
listens='iprof run -listen :6061 ./cmd/game' # here at any free port, as another test may have that one
eval "exec $(echo "$listens" | sed s/:6061/:0/) long" 2>report &
program=$!
trap 'kill $program' EXIT
at() { eval "$(echo "$1" | sed "s|localhost:6061|$(sed -n 's|^iprof: http://\(.*\)/debug/iprof/.*|\1|p' report)|")"; }
soon "at 'iprof top localhost:6061' | grep Step"
at 'iprof view localhost:6061'
kill $program
trap - EXIT
iprof run -o game.iprof ./cmd/game 2>/dev/null
iprof top game.iprof >top
has top Step
iprof run -report report.json ./cmd/game 2>/dev/null
has report.json '"Step"'
iprof test ./physics -run Step 2>report
cat report
has report Step
iprof build -frame none -o plain ./cmd/game
./plain
