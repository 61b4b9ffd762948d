/** How messages name the index, whose address has a password. */
export const INDEX_NAME = 'the index on PostgreSQL';
