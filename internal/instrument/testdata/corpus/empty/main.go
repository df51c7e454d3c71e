// Functions that do nothing, which is no wait.
package main

import "fmt"

func condition(b bool) {
	if b {
	}
}

func left() {
	for {
		break
	}
}

func main() {
	condition(true)
	left()
	fmt.Println("done")
}
