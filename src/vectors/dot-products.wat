;; Integer dot products of one query with many quantized vectors.
;;
;; The query is int16. A vector's codes have 8 bits (signed), 4 or 2 bits (unsigned): byte n of a
;; block of 16 bytes holds component n of the block in its lowest `bits`, component 16 + n in the
;; next bits, and so on. `length` is the number of components with padding, a whole number of
;; blocks. Vectors lie `stride` bytes apart. dot-products.ts holds the compiled module, and a test
;; compares the two.
(module
  (memory (export "memory") 4)

  (func (export "dotProducts")
    (param $query i32) (param $vectors i32) (param $count i32) (param $stride i32)
    (param $length i32) (param $bits i32) (param $out i32)
    (local $sums v128) (local $codes v128) (local $components v128) (local $mask v128)
    (local $at i32) (local $queryAt i32) (local $queryEnd i32) (local $blockEnd i32)
    (local $blockQuery i32)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $mask
      (i8x16.splat (i32.sub (i32.shl (i32.const 1) (local.get $bits)) (i32.const 1))))
    (local.set $queryEnd
      (i32.add (local.get $query) (i32.shl (local.get $length) (i32.const 1))))
    ;; Bytes of the query that one block of a vector is multiplied with: 16 * 8 / bits components.
    (local.set $blockQuery (i32.div_u (i32.const 256) (local.get $bits)))
    (loop $vector
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $vectors))
      (local.set $queryAt (local.get $query))
      (loop $block
        (local.set $codes (v128.load (local.get $at)))
        (local.set $blockEnd (i32.add (local.get $queryAt) (local.get $blockQuery)))
        (loop $sixteen
          (local.set $components (v128.and (local.get $codes) (local.get $mask)))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i32x4.add
                (i32x4.dot_i16x8_s
                  (i16x8.extend_low_i8x16_s (local.get $components))
                  (v128.load (local.get $queryAt)))
                (i32x4.dot_i16x8_s
                  (i16x8.extend_high_i8x16_s (local.get $components))
                  (v128.load offset=16 (local.get $queryAt))))))
          (local.set $codes (i8x16.shr_u (local.get $codes) (local.get $bits)))
          (local.set $queryAt (i32.add (local.get $queryAt) (i32.const 32)))
          (br_if $sixteen (i32.lt_u (local.get $queryAt) (local.get $blockEnd))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $block (i32.lt_u (local.get $queryAt) (local.get $queryEnd))))
      (i32.store (local.get $out)
        (i32.add
          (i32.add
            (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
          (i32.add
            (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
      (local.set $vectors (i32.add (local.get $vectors) (local.get $stride)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $vector (local.get $count))))

  ;; The products of each of so many vectors of 8 bits with each: `count` rows of `count` sums.
  ;; `length` bytes of each vector, padded to whole blocks.
  (func (export "pairProducts")
    (param $vectors i32) (param $count i32) (param $stride i32) (param $length i32)
    (param $out i32)
    (local $row i32) (local $column i32) (local $a i32) (local $b i32) (local $at i32)
    (local $sums v128) (local $ofA v128) (local $ofB v128) (local $sum i32)
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $row) (local.get $count)))
        (local.set $a
          (i32.add (local.get $vectors) (i32.mul (local.get $row) (local.get $stride))))
        (local.set $column (local.get $row))
        (loop $columns
          (local.set $b
            (i32.add (local.get $vectors) (i32.mul (local.get $column) (local.get $stride))))
          (local.set $sums (v128.const i32x4 0 0 0 0))
          (local.set $at (i32.const 0))
          (loop $block
            (local.set $ofA (v128.load (i32.add (local.get $a) (local.get $at))))
            (local.set $ofB (v128.load (i32.add (local.get $b) (local.get $at))))
            (local.set $sums
              (i32x4.add
                (local.get $sums)
                (i32x4.add
                  (i32x4.dot_i16x8_s
                    (i16x8.extend_low_i8x16_s (local.get $ofA))
                    (i16x8.extend_low_i8x16_s (local.get $ofB)))
                  (i32x4.dot_i16x8_s
                    (i16x8.extend_high_i8x16_s (local.get $ofA))
                    (i16x8.extend_high_i8x16_s (local.get $ofB))))))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br_if $block (i32.lt_u (local.get $at) (local.get $length))))
          (local.set $sum
            (i32.add
              (i32.add
                (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
              (i32.add
                (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
          (i32.store
            (i32.add
              (local.get $out)
              (i32.shl
                (i32.add (i32.mul (local.get $row) (local.get $count)) (local.get $column))
                (i32.const 2)))
            (local.get $sum))
          (i32.store
            (i32.add
              (local.get $out)
              (i32.shl
                (i32.add (i32.mul (local.get $column) (local.get $count)) (local.get $row))
                (i32.const 2)))
            (local.get $sum))
          (local.set $column (i32.add (local.get $column) (i32.const 1)))
          (br_if $columns (i32.lt_u (local.get $column) (local.get $count))))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $rows))))
)
