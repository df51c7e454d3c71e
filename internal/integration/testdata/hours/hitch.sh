# Finds the hitch of the tutorial's second page, in the program and in the file of its black box.
cp "$DOCS/docs/tutorial/2-first-hitch.md/go-1" main.go
go mod init hitch
go mod edit -require=example.com/iprof@v0.3.0 -replace=example.com/iprof=../iprof
go mod tidy
looked() {
	for file in hitches/*.iprof; do # a machine with other work has more than one hitch
		iprof view "$file" && iprof top "$file" && iprof verdicts -json "$file" || return
	done
}
found() {
	rm -rf hitches
	go run . >tree 2>log && looked >seen || return
	cat tree log seen
	has log 'iprof: frame .*wrote hitches/blackbox-.*iprof' && has tree 'load level' &&
		sed -n 4p tree | grep '^Frame [0-9]*: ' &&
		has seen 'Frame 400: .*load level .* (usually not called), called by draw'
}
again found
