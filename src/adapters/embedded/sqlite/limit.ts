/**
 * SQLite looks at the value of a bare `LIMIT ?` when it prepares a statement, and prepares it anew for every value that is bound:
 * half of what a short query costs. Of an expression it knows nothing.
 */
export const limitSql = 'LIMIT +?';
