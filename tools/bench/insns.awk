# SPDX-License-Identifier: GPL-2.0
#
# Reads /proc/kallsyms of a guest, sorted, and logs that QEMU has written with
# in_asm, exec and nochain. Prints what processor "cpu" executed of "module" for
# each of so many "frames" in the log "counted": by function, the sum last. A
# block is described where it was translated, which may be an earlier log.

# Addresses are hexadecimal of equal length: strings compare as they do.
function symbol(address,    low, high, middle) {
	if (address in known)
		return known[address]
	low = 1
	high = symbols
	while (low < high) {
		middle = int((low + high + 1) / 2)
		if ((start[middle] "") <= (address ""))
			low = middle
		else
			high = middle - 1
	}
	return known[address] = owner[low] == module ? name[low] : ""
}

FNR == NR {
	start[++symbols] = $1
	name[symbols] = $3
	owner[symbols] = $4
	next
}

# A block that was translated: its address, then one line an instruction.
/^IN:/ {
	block = ""
	next
}
/^0x/ {
	if (block == "") {
		block = substr($1, 3, 16)
		size[block] = 0
	}
	size[block]++
	next
}

# A block that is executed: Trace CPU: HOST [CS/ADDRESS/FLAGS/CFLAGS] SYMBOL
/^Trace / {
	if (FILENAME != counted || $2 + 0 != cpu)
		next
	split($4, part, "/")
	function_name = symbol(part[2])
	if (function_name == "")
		next
	if (!(part[2] in size))
		unknown++
	spent[function_name] += size[part[2]]
	total += size[part[2]]
}

END {
	if (unknown || !frames) {
		print unknown + 0 " blocks of unknown size, " frames + 0 " frames" >"/dev/stderr"
		exit 1
	}
	sort = "sort -rn"
	for (function_name in spent)
		if (spent[function_name] >= frames / 20)
			printf "%8.1f  %s\n", spent[function_name] / frames, function_name | sort
	close(sort)
	printf "%8.1f  in all\n", total / frames
}
