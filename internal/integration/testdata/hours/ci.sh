# Measures tests in continuous integration, and stops at what became slower.
go mod init physics
cat >physics.go <<'GO'
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
cat >physics_test.go <<'GO'
package physics

import "testing"

func TestStep(t *testing.T) {
	if Step(1_000_000) == 0 {
		t.Error("nothing")
	}
}
GO
iprof test . -run Step 2>report
cat report
has report Step
iprof test -report report.json . >/dev/null
has report.json '"Step"'
