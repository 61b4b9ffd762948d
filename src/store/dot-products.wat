;; Integer dot products of one query with many vectors, eight components at a time.
;;
;; The query is int16, the vectors are int8 and lie one after the other; both have `length`
;; components, a multiple of 8. dot-products.ts holds the compiled form, a test compares the two.
(module
  (memory (export "memory") 4)

  (func (export "dotProducts")
    (param $query i32) (param $vectors i32) (param $count i32) (param $length i32) (param $out i32)
    (local $sum v128) (local $at i32)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $vector
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $component
        (local.set $sum
          (i32x4.add
            (local.get $sum)
            (i32x4.dot_i16x8_s
              (v128.load (i32.add (local.get $query) (i32.shl (local.get $at) (i32.const 1))))
              (v128.load8x8_s (i32.add (local.get $vectors) (local.get $at))))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br_if $component (i32.lt_u (local.get $at) (local.get $length))))
      (i32.store (local.get $out)
        (i32.add
          (i32.add
            (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add
            (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (local.set $vectors (i32.add (local.get $vectors) (local.get $length)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $vector (local.get $count))))
)
