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
		most = 100_000
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
grep -q Step report
iprof run -frame 'game.(*Game).Update' ./cmd/game 2>report
grep -q '100 frames' report
iprof run -frame Step ./cmd/game 2>error && exit 1
grep 'several functions have that name; name one of them: yours.Step, yours/physics.Step' error
iprof run -frame physics.Step ./cmd/game 2>report
grep -q '100 frames' report
iprof run -listen 127.0.0.1:0 ./cmd/game 2>report
grep 'iprof: http://127.0.0.1:[1-9][0-9]*/debug/iprof/' report
iprof run -frame routes ./cmd/shop 2>report
grep -q '50 .*GET /items' report
DISPLAY=:0 iprof run -view ./cmd/game 2>report
grep -q 'its window is open' report
iprof run -listen :6061 ./cmd/game long 2>report &
program=$!
trap 'kill $program' EXIT
sleep 1
until iprof top localhost:6061 2>/dev/null | grep Step; do sleep 0.2; done
iprof view localhost:6061
kill $program
trap - EXIT
iprof run -o game.iprof ./cmd/game 2>/dev/null
iprof top game.iprof | grep -q Step
iprof run -report report.json ./cmd/game 2>/dev/null
grep -q '"Step"' report.json
iprof test ./physics -run Step 2>report
cat report
grep -q Step report
iprof build -frame none -o plain ./cmd/game
./plain
