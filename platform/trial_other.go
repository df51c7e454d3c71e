//go:build !linux && amd64 && gc && !purego

package platform

func measureCounter() (ok bool, why string) { return false, "this system cannot compare processors" }
