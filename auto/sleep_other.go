//go:build !linux || go1.27

package auto

import "time"

func sleep(d time.Duration) { time.Sleep(d) }
