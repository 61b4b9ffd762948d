/** The columns of a record and its document, for every statement that reads records. */

/** The columns of `RecordRow`, for a record `r` and its document `d`. */
export const RECORD_COLUMNS = `
  r.number, CASE WHEN r.document > 0 THEN r.document END AS document, r.source, r.part, r.hash,
  r.updated_at, r.withheld, r.identifiers, r.fields, r.file, r.notice, r.details,
  coalesce(d.id, '') AS id, coalesce(d.title, '') AS title, coalesce(d.abstract, '') AS abstract,
  coalesce(d.year, 0) AS year, coalesce(d.authors, '[]') AS authors, coalesce(d.venue, '') AS venue`;
