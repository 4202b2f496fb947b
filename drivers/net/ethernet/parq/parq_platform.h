/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PARQ_PLATFORM_H
#define _PARQ_PLATFORM_H

int parq_platform_register(void);
void parq_platform_unregister(void);

#endif /* _PARQ_PLATFORM_H */
