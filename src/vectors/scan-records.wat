;; Scores records of packed vectors and keeps those above a threshold.
;;
;; A record is a uint32 item, a float32 factor and `length` components of 2 bits, packed as codes.ts
;; says; `length` is a multiple of 64. The query is int16, in the order in which codes come out of
;; 16-bit lanes (see cell-scanner.ts). The score of a record is
;;   base + scale * factor * (sum of query * code - offset)
;; Every score is noted in `notes`, at its item, as a pair of `mark` and the float32 score; those not
;; below the threshold are written to `kept` as well, as pairs of the item and the score. Returns how
;; many these are.
;; cell-scanner.ts holds the compiled form, a test compares the two.
(module
  (memory (export "memory") 1)

  (func (export "scanRecords")
    (param $query i32) (param $records i32) (param $count i32) (param $length i32)
    (param $base f32) (param $scale f32) (param $offset f32) (param $threshold f32)
    (param $notes i32) (param $mark i32) (param $kept i32)
    (result i32)
    (local $record i32) (local $end i32) (local $at i32) (local $queryAt i32) (local $codesEnd i32)
    (local $packed v128) (local $low v128) (local $sums v128) (local $score f32) (local $next i32) (local $note i32)
    (local.set $low (i16x8.splat (i32.const 3)))
    (local.set $record (local.get $records))
    (local.set $next (local.get $kept))
    (local.set $end
      (i32.add
        (local.get $records)
        (i32.mul
          (local.get $count)
          (i32.add (i32.const 8) (i32.shr_u (local.get $length) (i32.const 2))))))
    (block $done
      (loop $scan
        (br_if $done (i32.ge_u (local.get $record) (local.get $end)))
        (local.set $sums (v128.const i32x4 0 0 0 0))
        (local.set $queryAt (local.get $query))
        (local.set $at (i32.add (local.get $record) (i32.const 8)))
        (local.set $codesEnd
          (i32.add (local.get $at) (i32.shr_u (local.get $length) (i32.const 2))))
        (loop $block
          (local.set $packed (v128.load (local.get $at)))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i32x4.dot_i16x8_s
                (v128.and (local.get $packed) (local.get $low))
                (v128.load (local.get $queryAt)))))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i32x4.dot_i16x8_s
                (v128.and (i16x8.shr_u (local.get $packed) (i32.const 2)) (local.get $low))
                (v128.load offset=16 (local.get $queryAt)))))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i32x4.dot_i16x8_s
                (v128.and (i16x8.shr_u (local.get $packed) (i32.const 4)) (local.get $low))
                (v128.load offset=32 (local.get $queryAt)))))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i32x4.dot_i16x8_s
                (v128.and (i16x8.shr_u (local.get $packed) (i32.const 6)) (local.get $low))
                (v128.load offset=48 (local.get $queryAt)))))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i32x4.dot_i16x8_s
                (v128.and (i16x8.shr_u (local.get $packed) (i32.const 8)) (local.get $low))
                (v128.load offset=64 (local.get $queryAt)))))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i32x4.dot_i16x8_s
                (v128.and (i16x8.shr_u (local.get $packed) (i32.const 10)) (local.get $low))
                (v128.load offset=80 (local.get $queryAt)))))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i32x4.dot_i16x8_s
                (v128.and (i16x8.shr_u (local.get $packed) (i32.const 12)) (local.get $low))
                (v128.load offset=96 (local.get $queryAt)))))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i32x4.dot_i16x8_s
                (v128.and (i16x8.shr_u (local.get $packed) (i32.const 14)) (local.get $low))
                (v128.load offset=112 (local.get $queryAt)))))
          (local.set $queryAt (i32.add (local.get $queryAt) (i32.const 128)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $block (i32.lt_u (local.get $at) (local.get $codesEnd))))
        (local.set $score
          (f32.add
            (local.get $base)
            (f32.mul
              (f32.mul (local.get $scale) (f32.load offset=4 (local.get $record)))
              (f32.sub
                (f32.convert_i32_s
                  (i32.add
                    (i32.add
                      (i32x4.extract_lane 0 (local.get $sums))
                      (i32x4.extract_lane 1 (local.get $sums)))
                    (i32.add
                      (i32x4.extract_lane 2 (local.get $sums))
                      (i32x4.extract_lane 3 (local.get $sums)))))
                (local.get $offset)))))
        (local.set $note
          (i32.add (local.get $notes) (i32.shl (i32.load (local.get $record)) (i32.const 3))))
        (i32.store (local.get $note) (local.get $mark))
        (f32.store offset=4 (local.get $note) (local.get $score))
        (if (f32.ge (local.get $score) (local.get $threshold))
          (then
            (i32.store (local.get $next) (i32.load (local.get $record)))
            (f32.store offset=4 (local.get $next) (local.get $score))
            (local.set $next (i32.add (local.get $next) (i32.const 8)))))
        (local.set $record (local.get $codesEnd))
        (br $scan)))
    (i32.shr_u (i32.sub (local.get $next) (local.get $kept)) (i32.const 3)))
)
