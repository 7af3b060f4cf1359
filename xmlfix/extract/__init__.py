"""What people came for: rows, tables, records and links out of the repaired tree."""
