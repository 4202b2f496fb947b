# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A kernel in QEMU, with NICs that are processes of this host, or parqsim.ko in the
# guest; sourced by boot.

# shellcheck disable=SC2034,SC2154 # variables shared with boot
. "$vm_dir/control.sh"
. "$vm_dir/parqsim.sh"

machine_log=$run/qemu.log
nic_slot=() nic_pid=()

# SIGTERM lets a NIC finish its recording. SIGKILL if that takes too long.
end_processes()
{
	local end=$((SECONDS + 5)) pid

	for pid; do
		kill -TERM "$pid" && kill -CONT "$pid"
	done 2>/dev/null
	for pid; do
		while kill -0 "$pid" && ((SECONDS < end)); do
			sleep 0.05
		done
		kill -KILL "$pid"
	done 2>/dev/null
	wait
}

# Seen from QEMU: sockets and pipes are in /run/vm, files shared with the guest in /srv.
qemu_args()
{
	local n root=/srv modules=/srv/boot

	[[ ! $guest ]] || root=/srv/guest
	[[ ! -e $guest/modules.erofs ]] || modules=/srv/guest

	# An emulated processor does not speculate.
	[[ $accel == kvm ]] || append+=' mitigations=off'
	args=(
		-nodefaults -no-user-config -display none -no-reboot -name parq
		-object "memory-backend-memfd,id=mem,size=$memory,share=on"
		-machine "q35,memory-backend=mem" -m "$memory" -smp "$cpus"
		# PCI Express does its own hotplug, as in servers.
		-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off
		-chardev "file,id=console,path=/srv/run/console.log" -serial chardev:console
		-qmp pipe:/run/vm/qmp
		-chardev "pipe,id=control,path=/run/vm/control"
		-kernel /srv/boot/vmlinuz -initrd /srv/boot/initramfs
		-append "console=ttyS0 panic=-1 tsc=reliable no_timer_check $oops$append"
	)
	case $accel in
	kvm) args+=(-accel kvm -cpu host) ;;
	# Page tables of five levels take longer, and KASAN reports a wild access if an interrupt
	# comes while the processor is identified. Fast strings and wide registers are slow to
	# emulate.
	*) args+=(-accel "tcg,thread=${icount:-multi}" -cpu "max,la57=off,erms=off,fsrm=off,avx=off") ;;
	esac
	[[ ! $icount ]] || args+=(-icount "shift=0,sleep=off")
	# The IOMMU comes first: devices behind it look for it.
	[[ ! $iommu ]] || args+=(-device "intel-iommu,caching-mode=on")
	args+=(
		-drive "file=$root/guest.erofs,format=raw,if=virtio,readonly=on"
		-drive "file=$modules/modules.erofs,format=raw,if=virtio,readonly=on"
		-fsdev "local,id=parq,path=/srv/parq,security_model=none,readonly=on,multidevs=remap"
		-device "virtio-9p-pci,fsdev=parq,mount_tag=parq"
		-fsdev "local,id=run,path=/srv/run,security_model=none"
		-device "virtio-9p-pci,fsdev=run,mount_tag=run"
		-device virtio-serial-pci
		-device "virtserialport,chardev=control,name=control"
	)
	if [[ $shell ]]; then
		args+=(-chardev "stdio,id=tty,mux=on,signal=off"
			-device "virtconsole,chardev=tty" -echr 29)
	else
		args+=(-chardev "file,id=output,path=/run/vm/output"
			-device "virtserialport,chardev=output,name=output")
	fi
	for ((n = 0; n < 2 * ${#nics[@]}; n++)); do
		args+=(-device "pcie-root-port,id=slot$n,chassis=$((n + 1)),slot=$((n + 1))")
	done
	for n in "${!nics[@]}"; do
		args+=(-device "$(nic_device "$n")")
	done
	args+=("${qemu_words[@]}")
}

start_qemu()
{
	local mounts=() policy=()

	[[ ! $guest ]] || mounts=(--ro "$guest:/srv/guest")
	# Emulated processors never rest. Programs that sleep and wake up, as the NIC and other
	# machines do, would wait for them for a time slice each time.
	[[ $accel == kvm ]] || policy=(chrt --batch 0)
	exec {stdin}<&0
	setpriv --pdeathsig KILL timeout --foreground -k 5 "$timeout" "${policy[@]}" \
		"$vm_dir/enter" trixie --ro "$boot:/srv/boot" --rw "$tmp:/run/vm" --rw "$run:/srv/run" \
		--ro "$repo:/srv/parq" "${mounts[@]}" -- qemu-system-x86_64 "${args[@]}" \
		<&"$stdin" 2>"$run/qemu.log" &
	vm_pid=$!
}

machine_begin()
{
	local n

	[[ ! $in_kernel ]] || { write_nics && nics=(); }
	[[ $accel =~ ^(|kvm|tcg)$ ]] || die "--accel: kvm or tcg, not '$accel'"
	[[ ! $icount || $accel != kvm ]] || die "--icount needs tcg"
	accel=${accel:-${icount:+tcg}}
	boot=$("$vm_dir/bootfiles" "$version")
	accel=${accel:-$("$vm_dir/accel" "$boot")}
	mkfifo "$tmp"/{qmp,control}.{in,out} "$tmp/output"
	told="$accel${shell:+; Ctrl-] x kills it}"
	for n in "${!nics[@]}"; do
		nic_slot[n]=$n
		nic_start "$n" || fail "nic $n did not start" "$run/nic$n.log"
	done
}

# Runs the machine to its end.
machine_run()
{
	qemu_args
	tee "$run/output.log" <"$tmp/output" &
	local reader=$!
	start_qemu
	! qmp_greet || control_serve
	: <>"$tmp/output"
	wait "$reader"
}

machine_end()
{
	local pids=() n

	[[ ! $vm_pid ]] || pids+=("$vm_pid")
	for n in "${!nic_pid[@]}"; do
		! nic_alive "$n" || pids+=("${nic_pid[n]}")
	done
	end_processes "${pids[@]}"
}
