//go:build !iprof_off

package iprof_test

import (
	"fmt"

	"example.com/iprof"
)

func ExampleSetOverheadLimit() {
	iprof.SetOverheadLimit(0.02) // measuring may take 2 % of each goroutine's time
	defer iprof.SetOverheadLimit(0)
	fmt.Println(iprof.OverheadLimit())
	// Output: 0.02
}

func ExampleOverheadLimit() {
	fmt.Println(iprof.OverheadLimit() == 0) // nothing is promised
	// Output: true
}
