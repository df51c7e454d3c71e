//go:build !iprof_off

package logmark_test

import (
	"fmt"
	"log/slog"

	"example.com/iprof"
	"example.com/iprof/logmark"
)

func ExampleHandler() {
	iprof.Reset()
	log := slog.New(logmark.Handler(nil)) // or pass on to slog.NewTextHandler(os.Stderr, nil)
	log.Info("level loaded", "name", "canyon")
	iprof.Update()
	for _, m := range iprof.Default().AppendMarks(nil, 0, iprof.Default().View().Info().Index) {
		fmt.Println(m.Text)
	}
	// Output: INFO level loaded name=canyon
}
