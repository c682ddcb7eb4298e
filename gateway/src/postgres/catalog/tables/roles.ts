/** Roles of a tenant's database. */

/** Owns all there is, and is nobody who could connect. */
export const OWNER = 'penstock';
export const OWNER_OID = 10;

/** Of the one database that a session sees, under whatever name it connected to. */
export const DATABASE_OID = 16_384;
