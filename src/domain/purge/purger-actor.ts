/** Who erases what lies below a purged entity: nobody waits for each of these erasures. */
export const purgerActor = 'system:purger';
