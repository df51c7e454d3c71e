package console_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"example.com/iprof/console"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
)

func ExampleCommand() {
	s := process.NewSession()
	for r := world.NewGame(1, s); s.View().Info().Frames < 60; {
		r.Step()
	}
	for _, line := range []string{"frame slowest", "select streaming", "lane", "frame live"} {
		console.Command(s, os.Stdout, line)
	}
	// Output:
	// frame 45, 14 ago, 31.89 ms, paused
	// call graph of streaming
	// * all  every goroutine, merged
	//     1  main, 31.21 ms
	//     2  loader, 3.74 ms
	// frame 59, 0 ago, 16.37 ms
}

func ExampleTerminal() {
	var out bytes.Buffer
	err := console.Terminal(context.Background(), process.NewSession(), strings.NewReader("help mode\nq\n"), &out)
	_, answer, _ := strings.Cut(out.String(), "iprof> ")
	fmt.Println(strings.TrimSuffix(answer, "\niprof> "), err)
	// Output:
	// mode [MODE]
	// self, callees, callgraph, descendants, calltree, slow, or 1 to 6 <nil>
}

func ExampleLogEvery() {
	var out bytes.Buffer
	stop := console.LogEvery(process.NewSession(), &out, time.Second)
	stop()
	fmt.Println(out.Len(), "bytes: the session has measured nothing")
	// Output: 0 bytes: the session has measured nothing
}
