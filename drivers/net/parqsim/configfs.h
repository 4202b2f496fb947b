/* SPDX-License-Identifier: GPL-2.0 */
/* NICs that users make and remove: /sys/kernel/config/parqsim. */
#ifndef _PARQSIM_CONFIGFS_H
#define _PARQSIM_CONFIGFS_H

int parqsim_configfs_init(void);
void parqsim_configfs_fini(void);

#endif /* _PARQSIM_CONFIGFS_H */
