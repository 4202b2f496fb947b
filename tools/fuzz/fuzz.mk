# SPDX-License-Identifier: GPL-2.0
#
# The targets of libFuzzer, for a Makefile that sets
#
#	FUZZ	the fuzzers, where they are built
#	CORPUS	the directory with NAME.hex for each of them, see corpus beside this file

FUZZ_SECONDS ?= 60

fuzz_dir := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))

.PHONY: fuzz corpus

fuzz: $(FUZZ) $(FUZZ:%=%.seeds)
	@set -e; for f in $(FUZZ); do mkdir -p $$f.corpus; \
		$$f -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 \
		-artifact_prefix=$$f. $$f.corpus $$f.seeds; done

# The smallest set of inputs that keeps the coverage.
corpus: $(FUZZ) $(FUZZ:%=%.seeds)
	@set -e; for f in $(FUZZ); do mkdir -p $$f.corpus; \
		rm -rf $$f.merged; mkdir $$f.merged; \
		$$f -set_cover_merge=1 $$f.merged $$f.corpus $$f.seeds; \
		$(fuzz_dir)/corpus pack $$f.merged $(CORPUS)/$$(basename $$f).hex; done

$(dir $(firstword $(FUZZ)))%.seeds: $(CORPUS)/%.hex
	@$(fuzz_dir)/corpus unpack $< $@
