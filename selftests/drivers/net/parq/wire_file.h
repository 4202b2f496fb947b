/* SPDX-License-Identifier: GPL-2.0 */
/* Reads recordings: pcapng (draft-ietf-opsawg-pcapng) of Ethernet. */
#ifndef _WIRE_FILE_H
#define _WIRE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define WIRE_MAX_INTERFACES	16
#define WIRE_NAME_SIZE		32

/* The low bits of epb_flags. */
enum wire_dir {
	WIRE_DIR_UNKNOWN,
	WIRE_INBOUND,
	WIRE_OUTBOUND,
};

/**
 * struct wire_interface - an interface of a section
 * @id: the same in all sections, by name
 * @mbit: speed, 0 if the file does not tell it
 * @units: of its time stamps, a second
 */
struct wire_interface {
	uint32_t id;
	uint32_t mbit;
	uint64_t units;
};

/**
 * struct wire_file - a recording
 * @f: the file
 * @swap: this section has the other byte order
 * @interface: of this section
 * @count: how many
 * @name: of each interface, by id
 * @names: how many
 * @buf: present block
 * @size: of @buf
 * @trouble: reason why no more can be read, "" at the end of the file
 */
struct wire_file {
	FILE *f;
	bool swap;
	struct wire_interface interface[WIRE_MAX_INTERFACES];
	uint32_t count;
	char name[WIRE_MAX_INTERFACES][WIRE_NAME_SIZE];
	uint32_t names;
	uint8_t *buf;
	uint32_t size;
	const char *trouble;
};

/**
 * struct wire_packet - a packet of a recording
 * @id: interface
 * @dir: direction
 * @mbit: speed of the link, 0 if the file does not tell it
 * @ns: time, ns since 1970
 * @caplen: bytes of @data
 * @len: bytes of the packet
 * @data: its beginning, until the next packet is read
 */
struct wire_packet {
	uint32_t id;
	enum wire_dir dir;
	uint32_t mbit;
	uint64_t ns;
	uint32_t caplen;
	uint32_t len;
	const uint8_t *data;
};

void wire_file_open(struct wire_file *w, const char *path);
bool wire_file_next(struct wire_file *w, struct wire_packet *p);
void wire_file_rewind(struct wire_file *w);
void wire_file_close(struct wire_file *w);

#endif /* _WIRE_FILE_H */
